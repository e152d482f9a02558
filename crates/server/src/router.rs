//! Routes: method and path → the handler that answers a request.
//!
//! The GGP protocol and web pages stand beside each other. A request goes to the most specific
//! route that has its path and its method: an exact path before a prefix, a longer prefix
//! before a shorter one, a later route before an earlier one.

use crate::http::{Framing, Method, Refused, Request, Response};
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

/// A response that is being made.
pub type Answer<'a> = Pin<Box<dyn Future<Output = Response> + Send + 'a>>;

/// Answers the requests of a route.
pub trait Handler: Send + Sync + 'static {
    /// Answers a request that arrived at a time. It must not block: one thread serves all peers.
    fn handle(&self, request: Request, arrived: Instant) -> Answer<'_>;

    /// How the bodies of its requests end.
    fn framing(&self) -> Framing {
        Framing::Length
    }
}

/// The paths of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Paths {
    Exactly(String),
    /// The path itself and everything below it; all paths if it is empty.
    Under(String),
}

impl Paths {
    fn have(&self, path: &str) -> bool {
        match self {
            Paths::Exactly(own) => own == path,
            Paths::Under(prefix) => {
                let rest = path.strip_prefix(&prefix[..]);
                rest.is_some_and(|it| prefix.is_empty() || it.is_empty() || it.starts_with('/'))
            }
        }
    }

    /// Larger for more specific paths.
    fn rank(&self) -> (bool, usize) {
        match self {
            Paths::Exactly(path) => (true, path.len()),
            Paths::Under(prefix) => (false, prefix.len()),
        }
    }
}

struct Route {
    paths: Paths,
    methods: &'static [Method],
    handler: Arc<dyn Handler>,
}

/// All routes of a server.
#[derive(Default)]
pub struct Router {
    routes: Vec<Route>,
}

impl fmt::Debug for Router {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let routes = self.routes.iter().map(|it| (&it.paths, it.methods));
        f.debug_list().entries(routes).finish()
    }
}

impl Router {
    /// Adds a route for one path, such as `/`.
    pub fn at(self, path: &str, methods: &'static [Method], handler: impl Handler) -> Router {
        self.add(Route {
            paths: Paths::Exactly(path.to_string()),
            methods,
            handler: Arc::new(handler),
        })
    }

    /// Adds a route for a path and all paths below it, such as `/games`; for all paths if it is
    /// empty. Its handler says which of them do not exist.
    pub fn under(self, prefix: &str, methods: &'static [Method], handler: impl Handler) -> Router {
        self.add(Route {
            paths: Paths::Under(prefix.to_string()),
            methods,
            handler: Arc::new(handler),
        })
    }

    fn add(mut self, route: Route) -> Router {
        self.routes.push(route);
        self
    }

    /// The handler of a request.
    pub(crate) fn find(&self, request: &Request) -> Result<&dyn Handler, Refused> {
        let path = request.path();
        let routes = || self.routes.iter().filter(|it| it.paths.have(path));
        let able = routes().filter(|it| it.methods.contains(&request.method));
        match able.max_by_key(|it| it.paths.rank()) {
            Some(route) => Ok(&*route.handler),
            None if routes().next().is_none() => Err(Refused::NotFound),
            None => {
                let mut allowed: Vec<Method> = Vec::new();
                for &method in routes().flat_map(|it| it.methods) {
                    if !allowed.contains(&method) {
                        allowed.push(method);
                    }
                }
                Err(Refused::Method(allowed))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::http::{Hold, Status};

    /// Answers with its name.
    struct Named(&'static str);

    impl Handler for Named {
        fn handle(&self, _: Request, _: Instant) -> Answer<'_> {
            let response = Response::new(Status::OK, "text/plain", self.0);
            Box::pin(std::future::ready(response))
        }
    }

    const PAGE: &[Method] = &[Method::Get, Method::Head];

    fn router() -> Router {
        Router::default()
            .under("", &[Method::Post, Method::Get], Named("all"))
            .under("/games", PAGE, Named("games"))
            .under("/games/hex", PAGE, Named("hex"))
            .at("/", PAGE, Named("start"))
    }

    /// The name of the handler, or the refusal.
    fn find(router: &Router, method: Method, target: &str) -> String {
        let request = Request {
            method,
            target: target.to_string(),
            headers: Vec::new(),
            body: Vec::new(),
            hold: Hold::default(),
        };
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.build().unwrap();
        match router.find(&request) {
            Ok(handler) => {
                let answer = handler.handle(request, Instant::now());
                String::from_utf8(runtime.block_on(answer).body).unwrap()
            }
            Err(refused) => refused.response().unwrap().status.to_string(),
        }
    }

    #[test]
    fn the_most_specific_route_answers() {
        let router = router();
        for (target, wanted) in [
            ("/", "start"),
            ("/?a=b", "start"),
            ("/(info)", "all"),
            ("(info)", "all"),
            ("/games", "games"),
            ("/games/", "games"),
            ("/games?turn=1", "games"),
            ("/gamesters", "all"),
            ("/games/chess", "games"),
            ("/games/hex/3", "hex"),
        ] {
            assert_eq!(find(&router, Method::Get, target), wanted, "{target}");
        }
        // Only routes that have the method are compared.
        assert_eq!(find(&router, Method::Post, "/games"), "all");
        assert_eq!(find(&router, Method::Head, "/games"), "games");
        let again = router.under("/games", PAGE, Named("later"));
        assert_eq!(find(&again, Method::Get, "/games"), "later");
    }

    #[test]
    fn paths_and_methods_without_a_route_are_refused() {
        let refused = "405 Method Not Allowed";
        assert_eq!(find(&router(), Method::Head, "/(info)"), refused);
        assert_eq!(find(&router(), Method::Put, "/games"), refused);
        assert_eq!(find(&router(), Method::Other, "/"), refused);
        let pages = Router::default().under("/games", PAGE, Named("games"));
        assert_eq!(find(&pages, Method::Get, "/other"), "404 Not Found");
        let request = Request {
            method: Method::Put,
            target: "/games".to_string(),
            headers: Vec::new(),
            body: Vec::new(),
            hold: Hold::default(),
        };
        let response = pages.find(&request).err().unwrap().response().unwrap();
        let allow = response.headers.iter().find(|(name, _)| *name == "Allow");
        assert_eq!(allow.unwrap().1, "GET, HEAD");
    }
}
