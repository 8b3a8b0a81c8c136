/**
 * The one spelling of text in every YAML file that a program other than ours reads: users and access rules for Authelia,
 * routes and certificates for Traefik, which renders a file as a Go template, parses it as YAML and may parse a string once
 * more as a Go expression.
 *
 * Invariant: whatever the input, the output is printable ASCII without braces. So no template can start, no line can
 * break, and no YAML reader can see anything but the one string that was meant. Everything outside that alphabet is
 * written as an escape that YAML 1.2 (§5.7) and Go's string literals spell alike.
 */

/** Printable ASCII that stands for itself in a double-quoted scalar; braces are left out because of templates. */
const SAFE = /^[ !#-[\]-z|~]*$/
const UNSAFE = /[^ !#-[\]-z|~]/gu

/** A double-quoted scalar, valid in YAML and as a Go string literal. A lone surrogate, which neither can spell, becomes U+FFFD. */
export const quote = (text: string): string => `"${SAFE.test(text) ? text : escaped(text)}"`

function escaped(text: string): string {
  return text.toWellFormed().replace(UNSAFE, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`
    const code = character.codePointAt(0)!
    // An astral character as a surrogate pair is an error to Go's YAML reader; the eight-digit form is not.
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
  })
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')
