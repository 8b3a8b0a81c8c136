/** Ports as firewalls write them: `443`, `80,443`, `8000-8010`. */
export interface PortRange {
  readonly first: number
  readonly last: number
}

const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535

/** Null for what is no list of ports: nothing can be said of it then. */
export function parsePortRanges(text: string): readonly PortRange[] | null {
  const ranges = text.split(',').map((part) => {
    const [, first = '', last = first] = /^\s*(\d{1,5})(?:\s*[-:]\s*(\d{1,5}))?\s*$/.exec(part) ?? []
    return { first: Number(first), last: Number(last) }
  })
  return ranges.every(({ first, last }) => isPort(first) && isPort(last) && first <= last) ? ranges : null
}

export const includesPort = (ranges: readonly PortRange[], port: number): boolean =>
  ranges.some(({ first, last }) => first <= port && port <= last)

export const showPortRanges = (ranges: readonly PortRange[]): string =>
  ranges.map(({ first, last }) => (first === last ? String(first) : `${first}-${last}`)).join(',')
