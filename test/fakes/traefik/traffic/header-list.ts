/** Headers of a message: names in any case, several values each, sent with the names that they came with. */

export class HeaderList {
  readonly #entries = new Map<string, { readonly name: string; values: readonly string[] }>()

  /** @param raw names and values in turn. */
  static from(raw: readonly string[]): HeaderList {
    const list = new HeaderList()
    for (let i = 0; i + 1 < raw.length; i += 2) list.append(raw[i]!, raw[i + 1]!)
    return list
  }

  /** Empty where there is none. */
  all(name: string): readonly string[] {
    return this.#entries.get(name.toLowerCase())?.values ?? []
  }

  get(name: string): string {
    return this.all(name)[0] ?? ''
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase())
  }

  set(name: string, ...values: readonly string[]): void {
    if (values.length === 0) this.delete(name)
    else this.#entries.set(name.toLowerCase(), { name, values })
  }

  append(name: string, value: string): void {
    this.set(this.#entries.get(name.toLowerCase())?.name ?? name, ...this.all(name), value)
  }

  delete(name: string): void {
    this.#entries.delete(name.toLowerCase())
  }

  /** By lower-case name. */
  byName(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries([...this.#entries].map(([key, { values }]) => [key, values]))
  }

  /** Names and values in turn. */
  raw(): string[] {
    return [...this.#entries.values()].flatMap(({ name, values }) => values.flatMap((value) => [name, value]))
  }

  copy(): HeaderList {
    return HeaderList.from(this.raw())
  }
}

/** What concerns one connection alone (RFC 9110 §7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'proxy-connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

export function withoutHopByHop(headers: HeaderList): HeaderList {
  const kept = headers.copy()
  const listed = headers.all('connection').flatMap((value) => value.split(','))
  for (const name of [...HOP_BY_HOP, ...listed])
    // Nobody may have the proxy's own words removed (CVE-2024-45410).
    if (!name.trim().toLowerCase().startsWith('x-forwarded-')) kept.delete(name.trim())
  return kept
}
