/** Is a page empty but for what scripts put into it? Pure, and linear in the page's length, whoever wrote it. */

/** An element that waits for a script: `<div id="root"></div>`. */
const MOUNT = /<(div|main|app-root)\b[^>]{0,300}>\s{0,100}<\/\1>/i
/** More than this is content. */
const MAX_WORDS = 300

export function isShell(html: string): boolean {
  if (!/<script\b/i.test(html) || !MOUNT.test(html)) return false
  const rest = ['script', 'style', 'noscript', 'title', 'head'].reduce(withoutElement, html)
  const text = rest.replace(/<[^<>]{0,2000}>/g, ' ').replace(/\s+/g, ' ')
  return text.length <= MAX_WORDS
}

/** Without everything from `<name` to `</name>`; one that is never closed takes the rest with it. */
function withoutElement(html: string, name: string): string {
  const lower = html.toLowerCase()
  const parts: string[] = []
  let at = 0
  for (;;) {
    const start = lower.indexOf(`<${name}`, at)
    if (start === -1) break
    parts.push(html.slice(at, start))
    const end = lower.indexOf(`</${name}`, start)
    if (end === -1) return parts.join('')
    at = end + name.length + 3
  }
  return parts.join('') + html.slice(at)
}

/** Two answers with the same page: numbers that are used once differ from answer to answer. */
export const samePage = (a: string, b: string): boolean => plain(a) === plain(b)

const plain = (html: string): string => html.replaceAll(/nonce="[^"]{0,200}"/g, '').trim()
