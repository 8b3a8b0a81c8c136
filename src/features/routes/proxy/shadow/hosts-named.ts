/**
 * Which hosts a text names that nobody but the proxy can read: a template, or what is too large. By plain search, so what is
 * spelt with escapes is not found, and what stands in a comment is.
 */
const NAMES = /[a-z0-9_.-]+/g

/** @returns says of a host, as records name it, whether the text may mean it. Linear in the text. */
export function hostsNamed(text: string): (host: string) => boolean {
  const found = new Set((withPlainDots(text.toLowerCase()).match(NAMES) ?? []).flatMap(namesIn))
  return (host) => (!host.startsWith('*') && found.has(host)) || endsOf(host).some((end) => found.has(end))
}

/** Patterns write a dot as `\\.` or `[.]`. */
const withPlainDots = (text: string): string =>
  text.replaceAll(/\\+(\.?)/g, (_all, dot: string) => dot || ' ').replaceAll('[.]', '.')

/** A name, or the end of some (`.example.com`) behind a template, a pattern or a star; two dots part one from the next. */
const namesIn = (run: string): readonly string[] =>
  run.split('..').flatMap((part, i) => {
    const name = part.endsWith('.') ? part.slice(0, -1) : part
    return i === 0 || name.startsWith('.') ? [name] : [name, `.${name}`]
  })

/** Of `a.b.example.com`: `.b.example.com`, `.example.com`. */
function endsOf(host: string): readonly string[] {
  const labels = host.split('.')
  return labels.slice(1, -1).map((_, i) => `.${labels.slice(i + 1).join('.')}`)
}
