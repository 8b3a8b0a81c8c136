/** What is typed or pasted as a target: host and port, or a whole address from the browser. */

export interface Target {
  readonly backend_host: string
  readonly backend_port: number | null
  readonly backend_scheme: 'http' | 'https' | null
}

/** Null where there is no host in it. `[fd00::1]:80`, `10.0.0.5:80`, `http://10.0.0.5:3000/` and `name` are understood. */
export function parseTarget(text: string): Target | null {
  const found = /^(?:(https?):\/\/)?(\[[0-9a-f:]+\]|[^\s:/[\]]+)(?::(\d{1,5}))?(?:\/.*)?$/i.exec(text.trim())
  if (found === null) return null
  const [, scheme, host = '', port] = found
  const backend_scheme = scheme === undefined ? null : (scheme.toLowerCase() as 'http' | 'https')
  const usual = backend_scheme === null ? null : backend_scheme === 'https' ? 443 : 80
  return {
    backend_host: host.replace(/^\[|\]$/g, ''),
    backend_port: port === undefined ? usual : Number(port),
    backend_scheme,
  }
}
