//! Which instructions this binary was compiled for, and whether the machine it runs on has them.
//!
//! A build for the machine it is made on is faster, but carried to an older machine it would die of
//! an illegal instruction. [`missing`] is asked before anything else runs.

/// Writes the features down once: a chain of plain branches, because anything cleverer could itself
/// be compiled to the instructions in question.
macro_rules! features {
    ($($name:tt)+) => {
        /// The first instruction set extension that this binary may use and this machine lacks.
        #[cfg(target_arch = "x86_64")]
        #[inline(never)]
        #[must_use]
        pub fn missing() -> Option<&'static str> {
            $(
                if cfg!(target_feature = $name) && !std::arch::is_x86_feature_detected!($name) {
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

features! {
    "sse3" "ssse3" "sse4.1" "sse4.2" "sse4a" "popcnt" "cmpxchg16b" "lzcnt" "bmi1" "bmi2" "tbm" "adx"
    "movbe" "aes" "pclmulqdq" "sha" "rdrand" "rdseed" "fxsr" "xsave" "xsavec" "xsaveopt" "xsaves"
    "avx" "avx2" "fma" "f16c" "avxvnni" "gfni" "vaes" "vpclmulqdq" "avx512f" "avx512bw" "avx512cd"
    "avx512dq" "avx512vl" "avx512ifma" "avx512vbmi" "avx512vbmi2" "avx512vnni" "avx512bitalg"
    "avx512vpopcntdq" "avx512bf16" "avx512fp16" "avx512vp2intersect"
}

/// Nothing is checked on other machines: their builds use the target's base instructions.
#[cfg(not(target_arch = "x86_64"))]
#[must_use]
pub fn missing() -> Option<&'static str> {
    None
}
