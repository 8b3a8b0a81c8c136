/**
 * Which hosts a text names that nobody but the proxy can read: a template, or what is too large. By plain search, so what is
 * spelt with escapes is not found, and what stands in a comment is.
 */

/** A name, or the end of some (`.example.com`) behind a template, a pattern or a star. */
const NAMES = /\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)+/g
/** As patterns write a dot. */
const DOTS = /\\+(?=\.)|\[(?=\.\])|(?<=\[\.)\]/g

/** @returns says of a host, as records name it, whether the text may mean it */
export function hostsNamed(text: string): (host: string) => boolean {
  const found = new Set(text.toLowerCase().replaceAll(DOTS, '').match(NAMES))
  return (host) => (!host.startsWith('*') && found.has(host)) || endsOf(host).some((end) => found.has(end))
}

/** Of `a.b.example.com`: `.b.example.com`, `.example.com`. */
function endsOf(host: string): readonly string[] {
  const labels = host.split('.')
  return labels.slice(1, -1).map((_, i) => `.${labels.slice(i + 1).join('.')}`)
}
