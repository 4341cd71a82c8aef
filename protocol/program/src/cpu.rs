//! Which instructions this binary was compiled for, and whether the machine it runs on has them.
//!
//! A build for the machine it is made on is faster, but carried to an older machine it would die of
//! an illegal instruction. [`check`] is asked before anything else runs.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::launch;

/// What `program` ends with, if this machine lacks what this build needs, or another build beside it has done its
/// work; nothing if it is to go on. To be called in a `main` that does nothing else itself: what follows may be compiled
/// to instructions that this machine does not have.
///
/// An archive holds builds for newer processors in a folder `x86-64-v3` beside the program for any: that one hands over
/// to them where they run.
#[inline(never)]
#[must_use]
pub fn check(program: &'static str) -> Option<ExitCode> {
    match missing() {
        Some(feature) => Some(refuse(program, feature)),
        None => launch::hand_over(program),
    }
}

#[inline(never)]
fn refuse(program: &'static str, feature: &'static str) -> ExitCode {
    // Piece by piece: code that puts a text together could have been compiled to what is lacking.
    let mut stderr = io::stderr();
    for text in [
        program,
        ": this build needs a processor with ",
        feature,
        ", which this one lacks; build it on this machine with cargo build --release, or for any \
         with RUSTFLAGS=\"-C target-cpu=x86-64\"\n",
    ] {
        let _ = stderr.write_all(text.as_bytes());
    }
    ExitCode::from(1)
}

/// Writes the features down once, each with the CPUID leaf, subleaf, register and bit that tell of it:
/// a chain of plain branches, because anything cleverer could itself be compiled to the instructions
/// in question. `is_x86_feature_detected!` is of no use here: it takes what a build was compiled for
/// as given.
macro_rules! features {
    ($($name:tt $leaf:tt $subleaf:tt $register:ident $bit:tt;)+) => {
        /// The first instruction set extension that this binary may use and this machine lacks.
        #[cfg(target_arch = "x86_64")]
        #[inline(never)]
        #[must_use]
        pub fn missing() -> Option<&'static str> {
            $(
                if cfg!(target_feature = $name)
                    && leaf($leaf, $subleaf).is_none_or(|l| l.$register >> $bit & 1 == 0)
                {
                    return Some($name);
                }
            )+
            None
        }

        /// The instruction set extensions that this binary may use.
        #[must_use]
        pub fn compiled() -> Vec<&'static str> {
            let mut features = Vec::new();
            $(
                if cfg!(target_feature = $name) {
                    features.push($name);
                }
            )+
            features
        }
    };
}

/// A CPUID leaf, if the processor has it. Leaves beyond the last would repeat another one.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
fn leaf(leaf: u32, subleaf: u32) -> Option<raw_cpuid::CpuIdResult> {
    use raw_cpuid::native_cpuid::cpuid_count;
    if cpuid_count(leaf & 0x8000_0000, 0).eax < leaf {
        return None;
    }
    // Leaf 7 says itself how many subleaves it has.
    if leaf == 7 && cpuid_count(7, 0).eax < subleaf {
        return None;
    }
    Some(cpuid_count(leaf, subleaf))
}

features! {
    "sse3" 1 0 ecx 0;
    "pclmulqdq" 1 0 ecx 1;
    "ssse3" 1 0 ecx 9;
    "fma" 1 0 ecx 12;
    "cmpxchg16b" 1 0 ecx 13;
    "sse4.1" 1 0 ecx 19;
    "sse4.2" 1 0 ecx 20;
    "movbe" 1 0 ecx 22;
    "popcnt" 1 0 ecx 23;
    "aes" 1 0 ecx 25;
    "xsave" 1 0 ecx 26;
    "avx" 1 0 ecx 28;
    "f16c" 1 0 ecx 29;
    "rdrand" 1 0 ecx 30;
    "fxsr" 1 0 edx 24;
    "bmi1" 7 0 ebx 3;
    "avx2" 7 0 ebx 5;
    "bmi2" 7 0 ebx 8;
    "avx512f" 7 0 ebx 16;
    "avx512dq" 7 0 ebx 17;
    "rdseed" 7 0 ebx 18;
    "adx" 7 0 ebx 19;
    "avx512ifma" 7 0 ebx 21;
    "avx512cd" 7 0 ebx 28;
    "sha" 7 0 ebx 29;
    "avx512bw" 7 0 ebx 30;
    "avx512vl" 7 0 ebx 31;
    "avx512vbmi" 7 0 ecx 1;
    "avx512vbmi2" 7 0 ecx 6;
    "gfni" 7 0 ecx 8;
    "vaes" 7 0 ecx 9;
    "vpclmulqdq" 7 0 ecx 10;
    "avx512vnni" 7 0 ecx 11;
    "avx512bitalg" 7 0 ecx 12;
    "avx512vpopcntdq" 7 0 ecx 14;
    "avx512vp2intersect" 7 0 edx 8;
    "avx512fp16" 7 0 edx 23;
    "avxvnni" 7 1 eax 4;
    "avx512bf16" 7 1 eax 5;
    "xsaveopt" 0xd 1 eax 0;
    "xsavec" 0xd 1 eax 1;
    "xsaves" 0xd 1 eax 3;
    "lzcnt" 0x8000_0001 0 ecx 5;
    "sse4a" 0x8000_0001 0 ecx 6;
    "tbm" 0x8000_0001 0 ecx 21;
}

/// Nothing is checked on other machines: their builds use the target's base instructions.
#[cfg(not(target_arch = "x86_64"))]
#[must_use]
pub fn missing() -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_build_runs_on_the_machine_it_was_made_for() {
        assert_eq!(missing(), None);
    }

    #[test]
    fn the_list_is_that_of_the_build() {
        assert_eq!(compiled().contains(&"popcnt"), cfg!(target_feature = "popcnt"));
        assert_eq!(compiled().contains(&"avx512f"), cfg!(target_feature = "avx512f"));
    }
}
