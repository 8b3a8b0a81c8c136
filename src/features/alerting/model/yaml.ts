/** Plain data as YAML in block style. Every text is in double quotes, so none of it is ever syntax. Pure. */
export type Plain = string | number | boolean | readonly Plain[] | { readonly [key: string]: Plain }

/** @param value keys of its maps are words of ours */
export const yamlText = (value: Plain): string => `${linesOf(value).join('\n')}\n`

function linesOf(value: Plain): readonly string[] {
  if (typeof value !== 'object') return [JSON.stringify(value)]
  if (isList(value))
    return value.length === 0
      ? ['[]']
      : value.flatMap((item) => linesOf(item).map((line, n) => `${n === 0 ? '- ' : '  '}${line}`))
  return Object.entries(value).flatMap(([key, member]) => {
    const lines = linesOf(member)
    const is_inline = typeof member !== 'object' || lines.length === 0 || lines[0] === '[]'
    return is_inline ? [`${key}: ${lines[0] ?? '{}'}`] : [`${key}:`, ...lines.map((line) => `  ${line}`)]
  })
}

const isList = (value: object): value is readonly Plain[] => Array.isArray(value)
