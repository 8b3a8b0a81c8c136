/** An answer that reads well as it is: names and values, one a line, what is within it further in. */
import { wrapped } from './table.ts'
import type { Terminal } from './terminal.ts'

export function tellPlain(answer: unknown, { out, width = Infinity }: Pick<Terminal, 'out' | 'width'>): void {
  for (const line of linesOf(answer, '')) {
    const indent = /^ */.exec(line)![0]
    for (const part of wrapped(line.slice(indent.length), width - indent.length)) out(indent + part)
  }
}

function linesOf(value: unknown, indent: string): readonly string[] {
  if (Array.isArray(value)) {
    if (value.every(isSimple)) return [indent + (value.map(simple).join(', ') || '-')]
    return value.flatMap((item) => {
      const [first = '', ...rest] = linesOf(item, `${indent}  `)
      return [`${indent}- ${first.slice(indent.length + 2)}`, ...rest]
    })
  }
  if (typeof value !== 'object' || value === null) return [indent + simple(value)]
  return Object.entries(value).flatMap(([name, member]) => {
    const title = `${indent}${name.replaceAll('_', ' ')}:`
    if (isSimple(member)) return member === null ? [] : [`${title} ${simple(member)}`]
    const within = linesOf(member, `${indent}  `)
    return within.length === 1 && Array.isArray(member)
      ? [`${title} ${within[0]!.trim()}`]
      : [title, ...within]
  })
}

const isSimple = (value: unknown): boolean => typeof value !== 'object' || value === null

const simple = (value: unknown): string =>
  value === null || value === undefined
    ? '-'
    : typeof value === 'boolean'
      ? value
        ? 'yes'
        : 'no'
      : typeof value === 'string'
        ? value
        : JSON.stringify(value)
