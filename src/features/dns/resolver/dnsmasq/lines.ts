/** dnsmasq's file format: `keyword=value`, double quotes, and comments that a blank or the line's begin goes before. Pure. */

export interface DnsmasqLine {
  readonly keyword: string
  readonly value: string
  /** Counts from 1. */
  readonly number: number
}

export function linesOf(text: string): DnsmasqLine[] {
  return text.split('\n').flatMap((raw, at): DnsmasqLine[] => {
    const line = withoutComment(raw).trim()
    if (line === '') return []
    const [, keyword = '', value = ''] = /^([^=]*?)\s*(?:=\s*(.*))?$/s.exec(line) ?? []
    return [{ keyword: keyword.toLowerCase(), value, number: at + 1 }]
  })
}

/** Quotes go away; what stands between them is no comment. */
function withoutComment(line: string): string {
  let plain = ''
  let is_quoted = false
  for (let at = 0; at < line.length; at++) {
    const letter = line[at]!
    if (letter === '"') is_quoted = !is_quoted
    else if (letter === '#' && !is_quoted && (at === 0 || /\s/.test(line[at - 1]!))) break
    else plain += letter
  }
  return plain
}
