//! The build of a program for newer processors, beside the one that runs on any.
//!
//! ```text
//! kujira              runs on any x86-64 processor
//! x86-64-v3/kujira    needs AVX2, BMI2 and what else processors with these have
//! ```
//!
//! The first, started on a processor that has all of that, hands over to the second. It is whole without it: where
//! there is no such folder it does the work itself.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::warning::warn;

/// The folder of builds for processors of the level that is called so (x86-64 psABI).
const FOLDER: &str = "x86-64-v3";

/// Hands over to the faster build beside this program, if there is one that runs here; what it ends with, or nothing
/// where this program is to do the work.
#[inline(never)]
pub(crate) fn hand_over(program: &str) -> Option<ExitCode> {
    if !gains() {
        return None;
    }
    let own = env::current_exe().ok()?;
    let handed = match faster(&own) {
        Ok(None) => return None,
        Ok(Some(faster)) => start(&faster),
        Err(error) => Err(error),
    };
    match handed {
        Ok(code) => Some(code),
        Err(error) => {
            warn(&format!("{program}: {error}; this slower build goes on\n"));
            None
        }
    }
}

/// Whether this processor has what builds of the folder need and this one does without. The system must keep the
/// registers, too, which detection asks for.
fn gains() -> bool {
    #[cfg(all(target_arch = "x86_64", not(target_feature = "avx2")))]
    {
        macro_rules! has {
            ($($feature:tt)+) => { $(std::arch::is_x86_feature_detected!($feature))&&+ };
        }
        // LAHF and SAHF, which belong to the level, every processor with AVX2 has.
        has!("cmpxchg16b" "popcnt" "sse3" "sse4.1" "sse4.2" "ssse3")
            && has!("avx" "avx2" "bmi1" "bmi2" "f16c" "fma" "lzcnt" "movbe")
    }
    #[cfg(not(all(target_arch = "x86_64", not(target_feature = "avx2"))))]
    false
}

/// The build of the folder beside the program `own`, or beside what `own` is a link to.
fn faster(own: &Path) -> Result<Option<PathBuf>, String> {
    // Some systems tell the link that was followed, others where it leads.
    let real = fs::canonicalize(own).unwrap_or_else(|_| own.to_owned());
    for place in [own, &real] {
        let (Some(folder), Some(name)) = (place.parent(), place.file_name()) else { continue };
        let folder = folder.join(FOLDER);
        if !folder.is_dir() {
            continue;
        }
        let faster = folder.join(name);
        return match fs::canonicalize(&faster) {
            // A folder that leads back here.
            Ok(path) if path == real => Ok(None),
            Ok(path) if path.is_file() => Ok(Some(faster)),
            Ok(_) => Err(format!("expected a program at {}, found none", faster.display())),
            Err(error) => Err(format!("expected a program at {}: {error}", faster.display())),
        };
    }
    Ok(None)
}

/// This process becomes the program at `path`, with the same arguments, inputs, outputs and number.
#[cfg(unix)]
fn start(path: &Path) -> Result<ExitCode, String> {
    use std::os::unix::process::CommandExt;
    let mut command = command(path);
    if let Some(name) = env::args_os().next() {
        command.arg0(name);
    }
    Err(failed(path, &command.exec()))
}

/// Runs the program at `path` with the same arguments, inputs and outputs, and ends as it does.
#[cfg(not(unix))]
fn start(path: &Path) -> Result<ExitCode, String> {
    let mut child = command(path).spawn().map_err(|error| failed(path, &error))?;
    // The console sends Ctrl-C to both: what it does is the child's matter.
    #[cfg(not(target_family = "wasm"))]
    let _ = ctrlc::set_handler(|| {});
    let status = child.wait().map_err(|error| failed(path, &error))?;
    std::process::exit(status.code().unwrap_or(1))
}

fn command(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.args(env::args_os().skip(1).collect::<Vec<OsString>>());
    command
}

fn failed(path: &Path, error: &io::Error) -> String {
    format!("{} cannot be started: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An unpacked archive of one program, or what of it is there.
    fn unpacked(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let top = tempfile::tempdir().unwrap();
        let folder = fs::canonicalize(top.path()).unwrap();
        for file in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        let own = folder.join("kujira");
        (top, own)
    }

    #[test]
    fn the_faster_build_is_that_of_the_folder_beside() {
        let (_top, own) = unpacked(&["kujira", "x86-64-v3/kujira", "x86-64-v3/other"]);
        let beside = own.with_file_name(FOLDER).join("kujira");
        assert_eq!(faster(&own), Ok(Some(beside)));
        let other = own.with_file_name("other");
        assert_eq!(faster(&other), Ok(Some(own.with_file_name(FOLDER).join("other"))));
    }

    #[test]
    fn a_program_alone_does_its_work_itself() {
        let (_top, own) = unpacked(&["kujira"]);
        assert_eq!(faster(&own), Ok(None));
        assert_eq!(faster(Path::new("/")), Ok(None));
    }

    #[test]
    fn a_missing_build_is_told() {
        let (_top, own) = unpacked(&["kujira", "x86-64-v3/other"]);
        let error = faster(&own).unwrap_err();
        assert!(error.contains("expected a program at ") && error.contains(FOLDER), "{error}");
        let (_top, own) = unpacked(&["kujira", "x86-64-v3/kujira/no program"]);
        assert!(faster(&own).unwrap_err().ends_with("found none"));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_lead_into_no_circle() {
        let (_top, own) = unpacked(&["kujira", "x86-64-v3/kujira"]);
        let elsewhere = tempfile::tempdir().unwrap();
        let link = elsewhere.path().join("engine");
        std::os::unix::fs::symlink(&own, &link).unwrap();
        assert_eq!(faster(&link), Ok(Some(own.with_file_name(FOLDER).join("kujira"))));

        let (_top, own) = unpacked(&["kujira"]);
        std::os::unix::fs::symlink(".", own.with_file_name(FOLDER)).unwrap();
        assert_eq!(faster(&own), Ok(None));
    }
}
