/** nginx over https, with the lines of `src/http/README.md`: it asks a sign-in page who calls, and says so to what stands behind it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Peer, startPeer } from './peer.ts'
import { makeTlsFiles } from './tls-files.ts'

export interface Nginx extends Peer {
  readonly port: number
}

export interface NginxOptions {
  /** The name that browsers call, beside any other. */
  readonly host: string
  /** What stands behind: `127.0.0.1:8080`. */
  readonly upstream: string
  /** Proves that it is this proxy that speaks. */
  readonly secret: string
  /** The sign-in page, as nginx calls it (`127.0.0.1:9091`), and as people do, by the same port as this proxy. */
  readonly sign_in: { readonly upstream: string; readonly host: string }
}

export const NGINX_PROGRAMS = ['nginx', 'openssl'] as const

export async function startNginx(options: NginxOptions): Promise<Nginx> {
  const { peer, ports } = await startPeer({
    name: 'nginx',
    ports: 1,
    async prepare(directory, [port = 0]) {
      const { cert_file, key_file } = await makeTlsFiles(directory)
      const conf = join(directory, 'nginx.conf')
      writeFileSync(conf, settings(directory, { ...options, port, cert_file, key_file }))
      return {
        program: 'nginx',
        args: ['-e', 'stderr', '-p', directory, '-c', conf, '-g', 'daemon off;'],
        ready: async () => {
          const { connect } = await import('node:net')
          return new Promise((resolve) => {
            const socket = connect(port, '127.0.0.1', () => resolve(socket.end() !== null))
            socket.once('error', () => resolve(false))
          })
        },
      }
    },
  })
  const [port = 0] = ports
  return { ...peer, port }
}

interface Placed extends NginxOptions {
  readonly port: number
  readonly cert_file: string
  readonly key_file: string
}

const settings = (
  directory: string,
  { host, upstream, secret, sign_in, port, cert_file, key_file }: Placed,
): string => `
worker_processes 1;
pid ${directory}/nginx.pid;
error_log stderr;
events { worker_connections 64; }
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  ssl_certificate ${cert_file};
  ssl_certificate_key ${key_file};
  server {
    listen 127.0.0.1:${port} ssl;
    server_name ${sign_in.host};
    location / { proxy_pass http://${sign_in.upstream}; }
  }
  server {
    listen 127.0.0.1:${port} ssl default_server;
    server_name ${host};
    location = /verify {
      internal;
      proxy_pass http://${sign_in.upstream}/verify;
      proxy_pass_request_body off;
      proxy_set_header Content-Length "";
    }
    location / {
      auth_request /verify;
      auth_request_set $user $upstream_http_remote_user;
      auth_request_set $groups $upstream_http_remote_groups;
      error_page 401 =302 https://${sign_in.host}:${port}/?rd=https://$http_host$request_uri;
      proxy_pass http://${upstream};
      proxy_http_version 1.1;
      proxy_buffering off;
      proxy_set_header Host $host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Plumbline-Proxy-Secret "${secret}";
      proxy_set_header Remote-User $user;
      proxy_set_header Remote-Groups $groups;
    }
  }
}
`
