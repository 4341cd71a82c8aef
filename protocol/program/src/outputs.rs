//! What a run reads and what it writes: no output goes over an input, and none over a file that is not ours.
//!
//! A command names all its files before it does any work; [`Outputs::check`] then says what would be lost. Files
//! are compared by where they are, not by how they are spelled: links are followed, and what is not there yet is
//! looked for in its folder.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use crate::regular;

/// How files of a kind begin, which says that a program of ours made them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    what: &'static str,
    begins: &'static [&'static [u8]],
}

impl Mark {
    /// Files of this kind ("a network") begin with one of these.
    #[must_use]
    pub const fn new(what: &'static str, begins: &'static [&'static [u8]]) -> Self {
        Self { what, begins }
    }

    /// Files of this kind do not say who made them: each that is there counts as somebody else's.
    #[must_use]
    pub const fn none(what: &'static str) -> Self {
        Self { what, begins: &[] }
    }

    /// Whether a file that begins so is ours. Nothing at all is, and so is what a crash left of a beginning of
    /// ours.
    #[must_use]
    pub fn fits(&self, found: &[u8]) -> bool {
        let begins = |begin: &&[u8]| found.starts_with(begin) || begin.starts_with(found);
        found.is_empty() || self.begins.iter().any(begins)
    }

    /// How many bytes it takes to know.
    fn length(&self) -> usize {
        self.begins.iter().map(|begin| begin.len()).max().unwrap_or(0).max(1)
    }
}

/// Why an output cannot be written.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The output is an input.
    #[error("{output}: {}: expected another file than {input}", path.display())]
    Input {
        /// The argument that names the output.
        output: String,
        /// The argument that names the input.
        input: String,
        /// The output.
        path: PathBuf,
    },
    /// Two outputs are one file.
    #[error("{one}: {}: expected another file than {other}", path.display())]
    Twice {
        /// The argument that names one.
        one: String,
        /// The argument that names the other.
        other: String,
        /// The file.
        path: PathBuf,
    },
    /// The file is not ours.
    #[error(
        "{output}: {}: expected {expected} or no file, found something else (--force writes over it)",
        path.display()
    )]
    Foreign {
        /// The argument that names the output.
        output: String,
        /// What it is going to be.
        expected: &'static str,
        /// The output.
        path: PathBuf,
    },
    /// The output is `-`, which elsewhere means the standard output.
    #[error("{output}: expected a file, found - (./- is a file of that name)")]
    Dash {
        /// The argument that names the output.
        output: String,
    },
    /// The file system refuses, or something else than a file is there.
    #[error("{output}: {}: {error}", path.display())]
    Io {
        /// The argument that names the output.
        output: String,
        /// The output.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

impl From<OutputError> for String {
    fn from(error: OutputError) -> Self {
        error.to_string()
    }
}

/// The files of a run before it begins.
#[derive(Clone, Debug, Default)]
pub struct Outputs {
    force: bool,
    inputs: Vec<(String, PathBuf)>,
    outputs: Vec<(String, PathBuf, Option<Mark>)>,
}

impl Outputs {
    /// No files yet. With `force` files that are not ours may be written over, inputs never.
    #[must_use]
    pub fn new(force: bool) -> Self {
        Self { force, ..Self::default() }
    }

    /// The run reads this file; `argument` names it in messages.
    pub fn input(&mut self, argument: &str, path: &Path) -> &mut Self {
        self.inputs.push((argument.to_owned(), path.to_owned()));
        self
    }

    /// The run reads these files, which one argument names.
    pub fn inputs<P: AsRef<Path>>(&mut self, argument: &str, paths: &[P]) -> &mut Self {
        for path in paths {
            self.input(argument, path.as_ref());
        }
        self
    }

    /// The run writes this file; `argument` names it in messages, and `mark` tells one of ours.
    pub fn output(&mut self, argument: &str, path: &Path, mark: Mark) -> &mut Self {
        self.outputs.push((argument.to_owned(), path.to_owned(), Some(mark)));
        self
    }

    /// The run writes this file if something else says that it may: it is only compared with inputs and outputs.
    pub fn known(&mut self, argument: &str, path: &Path) -> &mut Self {
        self.outputs.push((argument.to_owned(), path.to_owned(), None));
        self
    }

    /// Looks for what would be lost.
    ///
    /// # Errors
    /// Which output is an input, another output, a file that is not ours, or no file.
    pub fn check(&self) -> Result<(), OutputError> {
        let inputs: Vec<Place> = self.inputs.iter().map(|(_, path)| Place::of(path)).collect();
        let outputs: Vec<Place> = self.outputs.iter().map(|(_, path, _)| Place::of(path)).collect();
        for (index, ((output, path, mark), place)) in self.outputs.iter().zip(&outputs).enumerate()
        {
            let (output, path) = (output.clone(), path.clone());
            if path.as_os_str() == "-" {
                return Err(OutputError::Dash { output });
            }
            let input = self.inputs.iter().zip(&inputs).find(|(_, input)| place.is(input));
            if let Some(((input, _), _)) = input {
                return Err(OutputError::Input { output, input: input.clone(), path });
            }
            let earlier = self.outputs.iter().zip(&outputs).take(index);
            if let Some(((other, ..), _)) = earlier.into_iter().find(|(_, other)| place.is(other)) {
                return Err(OutputError::Twice { one: output, other: other.clone(), path });
            }
            let Some(mark) = mark else { continue };
            match is_ours(&path, mark) {
                Ok(true) => {}
                Ok(false) if self.force => {}
                Ok(false) => {
                    return Err(OutputError::Foreign { output, expected: mark.what, path });
                }
                Err(error) => return Err(OutputError::Io { output, path, error }),
            }
        }
        Ok(())
    }
}

/// Whether nothing is at `path`, or a file of ours.
///
/// # Errors
/// If it cannot be read, or something else than a file is there.
pub fn is_ours(path: &Path, mark: &Mark) -> io::Result<bool> {
    let found = match fs::metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Err(error) => return Err(error),
    };
    if !found.is_file() {
        let found = regular::name_of(found.file_type());
        return Err(io::Error::other(format!("expected a file or nothing, found {found}")));
    }
    let mut begin = Vec::new();
    regular::open(path)?.take(mark.length() as u64).read_to_end(&mut begin)?;
    Ok(mark.fits(&begin))
}

/// Whether the file systems of this machine mostly take `A` and `a` for one name.
const IGNORES_CASE: bool = cfg!(any(windows, target_vendor = "apple"));

/// Whether two paths are one, letters large and small taken for the same if the case is ignored.
fn same(one: &Path, other: &Path, ignores_case: bool) -> bool {
    let folded = |path: &Path| path.to_string_lossy().to_lowercase();
    one == other || ignores_case && folded(one) == folded(other)
}

/// Where a file is.
struct Place {
    path: PathBuf,
    /// Device and number, by which a second name (a hard link) is known.
    #[cfg(unix)]
    number: Option<(u64, u64)>,
}

impl Place {
    fn of(path: &Path) -> Self {
        Self {
            path: resolve(path),
            #[cfg(unix)]
            number: fs::metadata(path).ok().map(|found| {
                use std::os::unix::fs::MetadataExt;
                (found.dev(), found.ino())
            }),
        }
    }

    fn is(&self, other: &Self) -> bool {
        #[cfg(unix)]
        if self.number.is_some() && self.number == other.number {
            return true;
        }
        same(&self.path, &other.path, IGNORES_CASE)
    }
}

/// Where a path leads: every link is followed, that of the file too, as far as there is something; the rest is
/// taken as it is written.
#[must_use]
pub fn resolve(path: &Path) -> PathBuf {
    /// As the kernel has it.
    const MOST_LINKS: usize = 40;
    if let Ok(found) = fs::canonicalize(path) {
        return found;
    }
    let mut found = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let part = |component: Component<'_>| component.as_os_str().to_owned();
    let mut left: VecDeque<OsString> = path.components().map(part).collect();
    let mut links = 0;
    while let Some(next) = left.pop_front() {
        match next.to_str() {
            Some(".") => continue,
            Some("..") => {
                found.pop();
                continue;
            }
            _ => found.push(&next),
        }
        if links < MOST_LINKS
            && let Ok(target) = fs::read_link(&found)
        {
            links += 1;
            found.pop();
            for component in target.components().rev() {
                left.push_front(part(component));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const NETWORK: Mark = Mark::new("a network", &[b"KujiraNN"]);

    fn refused(outputs: &Outputs) -> String {
        outputs.check().unwrap_err().to_string()
    }

    #[test]
    fn only_files_of_ours_are_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.net");
        for (text, ours) in [
            (&b""[..], true),
            (b"KujiraNN\x02", true),
            (b"Kuji", true),
            (b"kujira", false),
            (b"\0", false),
        ] {
            fs::write(&path, text).unwrap();
            let checked = |force, mark| {
                let mut outputs = Outputs::new(force);
                outputs.output("--out", &path, mark).check().map_err(|error| error.to_string())
            };
            assert_eq!(checked(false, NETWORK).is_ok(), ours, "{text:?}");
            assert_eq!(checked(true, NETWORK), Ok(()));
            assert_eq!(checked(false, Mark::none("a table")).is_ok(), text.is_empty());
        }
        let mut outputs = Outputs::new(false);
        outputs.output("--out", &path, NETWORK);
        let shown = path.display();
        assert_eq!(
            refused(&outputs),
            format!(
                "--out: {shown}: expected a network or no file, found something else (--force writes over it)"
            )
        );
        // A folder is none, whatever is forced.
        let mut outputs = Outputs::new(true);
        outputs.output("--out", folder.path(), NETWORK);
        assert!(refused(&outputs).ends_with("expected a file or nothing, found a folder"));
    }

    #[test]
    fn an_input_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("sub")).unwrap();
        let file = folder.path().join("a.ktd");
        fs::write(&file, "KujiraNN").unwrap();
        let mut spellings =
            vec![file.clone(), folder.path().join("./a.ktd"), folder.path().join("sub/../a.ktd")];
        #[cfg(unix)]
        {
            let (link, folder_link) = (folder.path().join("link"), folder.path().join("there"));
            std::os::unix::fs::symlink("a.ktd", &link).unwrap();
            std::os::unix::fs::symlink(".", &folder_link).unwrap();
            spellings.extend([link, folder_link.join("a.ktd"), folder_link.join("there/link")]);
        }
        let second = folder.path().join("second");
        fs::hard_link(&file, &second).unwrap();
        spellings.extend(cfg!(unix).then_some(second));
        for spelling in spellings {
            for force in [false, true] {
                let mut outputs = Outputs::new(force);
                outputs.input("--data", &file).output("--out", &spelling, NETWORK);
                let shown = spelling.display();
                let expected = format!("--out: {shown}: expected another file than --data");
                assert_eq!(refused(&outputs), expected);
            }
        }
        let mut outputs = Outputs::new(false);
        outputs.input("--data", &file).output("--out", &folder.path().join("b.ktd"), NETWORK);
        assert!(outputs.check().is_ok());
    }

    /// Files that are there are known by their number; of files to be only the names are known.
    #[test]
    fn names_are_one_where_the_case_is_ignored() {
        for (one, other, expected) in
            [("a/B", "A/b", true), ("\u{d6}", "\u{f6}", true), ("a", "b", false)]
        {
            assert_eq!(same(Path::new(one), Path::new(other), true), expected);
            assert!(!same(Path::new(one), Path::new(other), false));
        }
    }

    /// What is not there yet is where it will be.
    #[test]
    fn files_to_be_are_compared_too() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let same = |one: &Path, other: &Path| {
            let mut outputs = Outputs::new(false);
            outputs.output("--out", one, NETWORK).output("the table", other, NETWORK);
            outputs.check().is_err()
        };
        assert!(same(&path("x"), &path("./x")));
        assert!(same(&path("new/x"), &path("new/../new/./x")));
        assert!(!same(&path("x"), &path("y")));
        assert!(!same(&path("new/x"), &path("x")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("x", path("link")).unwrap();
            std::os::unix::fs::symlink(".", path("here")).unwrap();
            std::os::unix::fs::symlink("loop", path("loop")).unwrap();
            assert!(same(&path("link"), &path("x")));
            assert!(same(&path("here/link"), &path("x")));
            assert!(same(&path("here/new/x"), &path("new/x")));
            // One that leads nowhere comes to an end.
            assert_ne!(resolve(&path("loop")), path("x"));
        }
        assert_eq!(resolve(Path::new("none")), std::env::current_dir().unwrap().join("none"));
    }
}
