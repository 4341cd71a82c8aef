//! Disks that are full or may not be written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Something mounted, which goes when the test is over.
#[derive(Debug)]
pub struct Mount(PathBuf);

impl Mount {
    /// A disk for so many KiB at `folder`, which is made; `None`, which is said, where only the superuser may.
    #[must_use]
    pub fn small(folder: &Path, kibibytes: u32) -> Option<Self> {
        fs::create_dir_all(folder).unwrap();
        let size = format!("size={kibibytes}k");
        Self::attach(&["-t", "tmpfs", "-o", &size, "tmpfs"], folder)
    }

    /// `folder` as it is, but that nobody may write there; `None`, which is said, where only the superuser may.
    #[must_use]
    pub fn read_only(folder: &Path) -> Option<Self> {
        let path = folder.display().to_string();
        let mount = Self::attach(&["--bind", &path], folder)?;
        mount.again("remount,bind,ro").then_some(mount)
    }

    fn attach(words: &[&str], folder: &Path) -> Option<Self> {
        let output = Command::new("mount").args(words).arg(folder).output();
        if output.is_ok_and(|output| output.status.success()) {
            return Some(Self(folder.to_owned()));
        }
        println!("skipped: expected to be allowed to mount at {}", folder.display());
        None
    }

    fn again(&self, options: &str) -> bool {
        let status = Command::new("mount").arg("-o").arg(options).arg(&self.0).status();
        status.is_ok_and(|status| status.success())
    }

    /// Makes room.
    pub fn grow(&self, kibibytes: u32) {
        assert!(self.again(&format!("remount,size={kibibytes}k")));
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// The command with files of at most so many blocks of 512 bytes: a longer write fails, as on a full disk.
#[must_use]
pub fn limited(command: &Command, blocks: u64) -> Command {
    crate::in_shell(&format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_full_takes_no_more() {
        let folder = tempfile::tempdir().unwrap();
        let mut write = Command::new("sh");
        write.args(["-c", "head -c 100000 /dev/zero >bytes"]).current_dir(folder.path());
        // Nobody holds back the signal that comes with it.
        assert!(!limited(&write, 9).output().unwrap().status.success());
        assert_eq!(fs::metadata(folder.path().join("bytes")).unwrap().len(), 9 * 512);
        let small = folder.path().join("small");
        if let Some(mount) = Mount::small(&small, 64) {
            write.current_dir(&small);
            assert!(!write.output().unwrap().status.success());
            mount.grow(128);
            assert!(write.output().unwrap().status.success());
        }
        if let Some(_mount) = Mount::read_only(folder.path()) {
            assert!(fs::write(folder.path().join("more"), "x").is_err());
        }
        fs::write(folder.path().join("more"), "x").unwrap();
    }
}
