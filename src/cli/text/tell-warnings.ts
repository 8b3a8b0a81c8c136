/** Warnings, one line each: equal ones once with their count, and those that differ in the name of a domain alone as one. */
import type { Terminal } from './terminal.ts'
import { firstNames } from '../../kernel/text/first-names.ts'

/** So many names are told before a count stands for the rest. */
const MAX_NAMED = 3

/** `app.example.com: no address is known.`, and a sentence that begins with such a name. */
const OF_DOMAIN = /^([a-z0-9*][a-z0-9.*_-]*\.[a-z0-9-]+)(:? )(?=[a-z])(.+)$/is

export function tellWarnings(warnings: readonly string[], { note }: Pick<Terminal, 'note'>): void {
  for (const line of mergedWarnings(warnings)) note(`warning: ${line}`)
}

export function mergedWarnings(warnings: readonly string[]): readonly string[] {
  const groups = new Map<string, { names: Set<string>; count: number; between: string }>()
  for (const warning of warnings) {
    const [, name, between = ': ', rest] = OF_DOMAIN.exec(warning) ?? []
    const text = rest ?? warning
    const group = groups.get(text) ?? { names: new Set<string>(), count: 0, between }
    if (name !== undefined) group.names.add(name)
    group.count++
    groups.set(text, group)
  }
  return [...groups].map(([text, { names, count, between }]) => {
    if (names.size === 0) return count === 1 ? text : `${text} (${count} times)`
    return `${firstNames([...names], MAX_NAMED)}${names.size === 1 ? between : ': '}${text}`
  })
}
