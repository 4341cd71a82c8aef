//! Connections: a limit on their number and on the time to send a request, with room for new ones.
//!
//! hyper closes a connection on which no whole request head arrives in time. Beyond the limit, the connection that has
//! asked for nothing for the longest time is closed, so that half requests lock nobody out. A connection that has
//! become a WebSocket does not count here: at most `most_pages` of those are open, and they have to answer pings.
use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

/// The largest head of a request, in bytes.
const LARGEST_HEAD: usize = 64 * 1024;

/// How long to wait before accepting again when the system has no room for a connection.
const NO_ROOM: Duration = Duration::from_millis(20);

/// Limits of connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The time for the head of a request, and between two requests.
    pub(crate) head: Duration,
    /// The most connections at once.
    pub(crate) most: usize,
}

/// The most connections: a part of the files that the system lets this program open, so that enough are left for games
/// and engines.
#[must_use]
pub fn most() -> usize {
    const USUAL: usize = 256;
    #[cfg(unix)]
    {
        use nix::sys::resource::{Resource, getrlimit};
        let files = getrlimit(Resource::RLIMIT_NOFILE).map_or(u64::MAX, |(files, _)| files);
        usize::try_from(files / 4).unwrap_or(USUAL).clamp(8, USUAL)
    }
    #[cfg(not(unix))]
    USUAL
}

/// The connections that wait for a request or an answer, ordered by how long they have asked for nothing, the longest
/// first.
#[derive(Default)]
struct Waiting {
    next: u64,
    /// Dropping an entry ends its connection.
    places: BTreeMap<u64, oneshot::Sender<()>>,
}

impl Waiting {
    fn enter(&mut self, place: oneshot::Sender<()>) -> u64 {
        self.next += 1;
        self.places.insert(self.next, place);
        self.next
    }
}

type Shared = Arc<Mutex<Waiting>>;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A place among those that wait.
struct Place {
    waiting: Shared,
    number: Mutex<u64>,
}

impl Place {
    /// A place, and what ends when somebody else needs it.
    fn new(waiting: &Shared) -> (Self, oneshot::Receiver<()>) {
        let (sender, ends) = oneshot::channel();
        let number = Mutex::new(lock(waiting).enter(sender));
        (Self { waiting: Arc::clone(waiting), number }, ends)
    }

    /// It has asked for something: it moves to the end of the order.
    fn asks(&self) {
        let mut all = lock(&self.waiting);
        let mut number = lock(&self.number);
        if let Some(place) = all.places.remove(&number) {
            *number = all.enter(place);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        lock(&self.waiting).places.remove(&lock(&self.number));
    }
}

/// Room for one more connection: where there is none, the connection that has asked for nothing for the longest time
/// ends. When this returns, the file of one that was open has been given back.
async fn make_room(room: &Arc<Semaphore>, waiting: &Shared) -> Option<OwnedSemaphorePermit> {
    if room.available_permits() == 0 {
        lock(waiting).places.pop_first();
    }
    // Nobody closes it.
    Arc::clone(room).acquire_owned().await.ok()
}

/// Serves whoever connects, for ever.
pub(crate) async fn serve(listener: TcpListener, app: Router, limits: Limits) {
    let waiting = Shared::default();
    let room = Arc::new(Semaphore::new(limits.most.max(1)));
    let app = TowerToHyperService::new(app);
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let permit = make_room(&room, &waiting).await;
                let (place, ends) = Place::new(&waiting);
                let app = app.clone();
                tokio::spawn(async move {
                    tokio::select! {
                        () = talk(stream, app, place, limits.head) => {}
                        _ = ends => {}
                    }
                    drop(permit);
                });
            }
            Err(error) if is_theirs(&error) => {}
            // The system has no room: close another connection and try again.
            Err(_) => {
                lock(&waiting).places.pop_first();
                tokio::time::sleep(NO_ROOM).await;
            }
        }
    }
}

/// Whether it is only the other side that has gone.
fn is_theirs(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}

/// Answers requests until the connection is closed or becomes a WebSocket.
async fn talk(stream: TcpStream, app: TowerToHyperService<Router>, place: Place, head: Duration) {
    // Messages are small and wait for no others.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        place.asks();
        app.call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service);
    // hyper reports errors of a connection to its client, if at all.
    let _ = connection.with_upgrades().await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_has_asked_for_nothing_for_the_longest_time_makes_room() {
        let (waiting, room) = (Shared::default(), Arc::new(Semaphore::new(3)));
        let mut open = Vec::new();
        for _ in 0..3 {
            let permit = make_room(&room, &waiting).await;
            open.push((permit, Place::new(&waiting)));
        }
        open[0].1.0.asks();
        let more = tokio::spawn({
            let (room, waiting) = (Arc::clone(&room), Arc::clone(&waiting));
            async move { make_room(&room, &waiting).await }
        });
        while lock(&waiting).places.len() == 3 {
            tokio::task::yield_now().await;
        }
        use oneshot::error::TryRecvError::{Closed, Empty};
        let gone: Vec<_> = open.iter_mut().map(|(_, place)| place.1.try_recv()).collect();
        assert_eq!(gone, [Err(Empty), Err(Closed), Err(Empty)]);
        // What was told to end has its file as long as it lives.
        assert!(!more.is_finished());
        // Its place belongs to nobody now: this changes nothing.
        open[1].1.0.asks();
        drop(open.remove(1));
        assert!(more.await.unwrap().is_some());
        assert_eq!(lock(&waiting).places.len(), 2);
        drop(open);
        assert_eq!(lock(&waiting).places.len(), 0);
    }
}
