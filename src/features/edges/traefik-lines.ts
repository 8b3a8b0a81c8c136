/** What is put into the static configuration of Traefik on an edge, so that it fetches its routes (HTTP provider). */
import type { Secret } from '../../kernel/secret.ts'

export interface EdgeLines {
  readonly endpoint: string
  /** YAML. Holds the token. */
  readonly traefik: string
}

/** @param base `https://plumbline.example.com`, without a slash at its end */
export function edgeLines(base: string, edge_id: number, token: Secret): EdgeLines {
  const endpoint = `${base}/api/ccm/edge/edges/${edge_id}/routes`
  const traefik =
    'providers:\n  http:\n' +
    `    endpoint: ${JSON.stringify(endpoint)}\n` +
    '    pollInterval: 10s\n    headers:\n' +
    `      Authorization: ${JSON.stringify(`Bearer ${token.reveal()}`)}\n`
  return { endpoint, traefik }
}
