/** Values as servers and their tools write them, made and read by other code than the adapters use, so that one checks the other. */

const LONGEST = 255

/** For `addForeign`: the presentation format of a value in normal form. */
export function presentation(type: string, value: string): string {
  if (type === 'TXT') return quotedText(value)
  return ['CNAME', 'MX', 'NS', 'SRV', 'PTR'].includes(type) ? `${value}.` : value
}

/** Strings of up to 255 octets, every octet outside of printable ASCII as `\DDD`. */
function quotedText(text: string): string {
  const octets = [...Buffer.from(text)]
  const strings: string[] = []
  do strings.push(`"${octets.splice(0, LONGEST).map(written).join('')}"`)
  while (octets.length > 0)
  return strings.join(' ')
}

function written(octet: number): string {
  const char = String.fromCharCode(octet)
  if (char === '"' || char === '\\') return `\\${char}`
  return octet >= 0x20 && octet < 0x7f ? char : `\\${String(octet).padStart(3, '0')}`
}

/** The normal form of what `dig` prints for a value. */
export function fromPresentation(type: string, shown: string): string {
  if (type === 'TXT') return joinedText(shown)
  if (type === 'CAA') return shown
  return ['CNAME', 'MX', 'NS', 'SRV', 'PTR'].includes(type) ? shown.toLowerCase().replace(/\.$/, '') : shown
}

function joinedText(shown: string): string {
  const octets: number[] = []
  for (let at = 0, inside = false; at < shown.length; at++) {
    const char = shown[at]!
    if (char === '"') inside = !inside
    else if (!inside) continue
    else if (char !== '\\') octets.push(char.charCodeAt(0))
    else if (/\d/.test(shown[at + 1]!)) {
      octets.push(Number(shown.slice(at + 1, at + 4)))
      at += 3
    } else octets.push(shown.charCodeAt(++at))
  }
  return Buffer.from(octets).toString('utf8')
}
