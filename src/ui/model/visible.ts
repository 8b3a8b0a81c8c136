/** Text of others as it is: what would not be seen, or would turn the line around, is shown by its code. */

/** Controls, zero-width characters, marks of direction, line separators, tags: whatever changes a line without being seen. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

export const visible = (text: string): string =>
  text.replace(
    UNSEEN,
    (one) => `\u27e8U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}\u27e9`,
  )

/** The same for a text of several lines: their ends are seen as such. */
export const visibleLines = (text: string): string => text.split('\n').map(visible).join('\n')

/** Where a text may break: behind `/`, `.` and `:`. */
export const breakParts = (text: string): readonly string[] => text.split(/(?<=[/.:])(?=[^/.:\s])/)

/** The host in bold, the zone plain: `git` and `.home.example`. A name without a zone is all host. */
export function splitName(name: string): { readonly host: string; readonly zone: string } {
  const at = name.indexOf('.')
  return at === -1 ? { host: name, zone: '' } : { host: name.slice(0, at), zone: name.slice(at) }
}
