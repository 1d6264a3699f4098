//! nginx as the file server of all variants.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::site::Paths;
use crate::error::Error;

/// One server with two origins. Precompressed files are served if they exist.
pub(super) fn command(
    folder: &Path,
    paths: &Paths,
    address: &str,
    shop: &str,
    proxy: &str,
) -> Result<Command, Error> {
    let config = folder.join("nginx.conf");
    let kinds: String = [
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
    .concat();
    let (dist, others) = (paths.dist.display(), paths.others.display());
    let folder = folder.display();
    let text = format!(
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
    root {others};
    location = /healthz {{ return 204; }}
    location @plain {{
      types {{ text/javascript js; text/css css; application/json json; image/svg+xml svg; }}
      add_header Access-Control-Allow-Origin *;
      add_header Cache-Control \"public, max-age=300\";
    }}
    location /v1/ {{
      root {dist};
{kinds}    }}
    location /api/ {{
      proxy_pass http://{proxy};
      proxy_http_version 1.1;
      proxy_set_header Connection \"\";
      proxy_buffering off;
    }}
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
    );
    fs::write(&config, text).map_err(Error::file(&config))?;
    let mut command = Command::new("nginx");
    command.arg("-c").arg(config);
    Ok(command)
}
