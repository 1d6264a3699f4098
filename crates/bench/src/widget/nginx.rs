//! nginx as the server of all variants: of the files itself, of the rest by forwarding it to the proxy.

use std::path::Path;
use std::process::Command;

use fs_err as fs;

use crate::error::Error;

/// The path of the token listing.
pub(super) const LISTING: &str = "/api/v1/rates/my-tokens";

/// What nginx serves, and where. Addresses are `host:port`.
pub(super) struct Nginx<'a> {
    /// The directory for its own files, with the shop's pages in `shop`.
    pub(super) folder: &'a Path,
    /// The built widget.
    pub(super) dist: &'a Path,
    /// The built floors and other checkouts.
    pub(super) others: &'a Path,
    /// The origin of the checkouts.
    pub(super) address: &'a str,
    /// The same without `/v1/checkout.html`.
    pub(super) unrouted: &'a str,
    /// The origin of the shop.
    pub(super) shop: &'a str,
    /// The real proxy.
    pub(super) proxy: &'a str,
}

impl Nginx<'_> {
    /// The command that starts it. Precompressed files are served if they exist.
    pub(super) fn command(&self) -> Result<Command, Error> {
        let config = self.folder.join("nginx.conf");
        fs::write(&config, self.config())?;
        let mut command = Command::new("nginx");
        command.arg("-c").arg(config);
        Ok(command)
    }

    fn config(&self) -> String {
        let Self {
            address,
            unrouted,
            shop,
            ..
        } = self;
        let [folder, dist, others] =
            [self.folder, self.dist, self.others].map(|path| path.display().to_string());
        let kinds = kinds();
        let forward = format!(
            "proxy_pass http://{};
      proxy_http_version 1.1;
      proxy_set_header Connection \"\";
      proxy_buffering off;",
            self.proxy
        );
        format!(
            "daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log stderr warn;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen {address};
    listen {unrouted};
    root {others};
    location = /healthz {{ return 204; }}
    location @plain {{
      types {{ text/javascript js; text/css css; application/json json; image/svg+xml svg; }}
      add_header Access-Control-Allow-Origin *;
      add_header Cache-Control \"public, max-age=300\";
    }}
    location = /v1/checkout.html {{
      if ($http_host = {unrouted}) {{ return 404; }}
      {forward}
    }}
    location /v1/ {{
      root {dist};
      location ~ ^/v1/pay {{ {forward} }}
{kinds}    }}
    location = /pay {{ {forward} }}
    location /api/ {{ {forward} }}
{kinds}  }}
  server {{
    listen {shop};
    root {folder};
    types {{ text/html html; }}
    charset utf-8;
    add_header Cache-Control no-store;
  }}
}}
"
        )
    }
}

/// The locations of compressed files.
fn kinds() -> String {
    [
        ("js", "text/javascript"),
        ("css", "text/css"),
        ("wasm", "application/wasm"),
        ("json", "application/json"),
        ("svg", "image/svg+xml"),
    ]
    .map(|(extension, media)| {
        format!(
            "    location ~ \\.{extension}$ {{
      types {{}} default_type {media};
      add_header Access-Control-Allow-Origin *;
      add_header Cache-Control \"public, max-age=300\";
      add_header Content-Encoding br;
      error_page 405 =200 $uri;
      try_files $uri.br @plain;
    }}\n"
        )
    })
    .concat()
}
