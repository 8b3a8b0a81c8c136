/** dnsmasq's settings as a source of a resolver's answers: the named file and what it includes. */
import { basename } from 'node:path'
import type { Override, ResolverView, ResolverZone } from '../../../../model/resolver/view.ts'
import type { ResolverConfig, ResolverRead } from '../port.ts'
import { hostsOverrides } from '../hosts/parse.ts'
import { DEEPEST_INCLUDE, fileSource, type TextFiles, unreadable } from '../text-files.ts'
import { type Effect, effectsOf } from './directives.ts'
import { linesOf } from './lines.ts'

export const dnsmasqConfig = (path: string): ResolverConfig =>
  fileSource({ source: `dnsmasq:${path}`, path }, async (files) => {
    const read = await files.read(path)
    if (!read.ok) return unreadable(`dnsmasq:${path}`, read.what)
    const walk = new DnsmasqWalk(files)
    await walk.take(read.text, path, 0)
    return walk.result()
  })

const SYSTEM_HOSTS =
  'no-hosts is not set here, so dnsmasq may read /etc/hosts too: name it before this source as hosts:/etc/hosts'

export class DnsmasqWalk {
  readonly #files: TextFiles | null
  readonly #overrides: Override[] = []
  readonly #from_hosts: Override[] = []
  readonly #zones: ResolverZone[] = []
  readonly #gaps: string[] = []
  readonly #notes: string[] = []
  #domain: string | null = null
  #expands = false
  #reads_system_hosts = true

  /** @param files null where there are none, so that every include is a gap */
  constructor(files: TextFiles | null) {
    this.#files = files
  }

  async take(text: string, path: string, depth: number): Promise<void> {
    for (const line of linesOf(text))
      for (const effect of effectsOf(line, path)) await this.#apply(effect, depth)
  }

  takeHosts(text: string, path: string): void {
    this.#from_hosts.push(...hostsOverrides(text, path))
  }

  view(product: 'dnsmasq' | 'pihole'): ResolverView {
    const expanded = this.#from_hosts.flatMap((entry) => {
      const is_simple = this.#expands && this.#domain !== null && !entry.name.includes('.')
      return is_simple ? [entry, { ...entry, name: `${entry.name}.${this.#domain}` }] : [entry]
    })
    return { product, overrides: [...this.#overrides, ...expanded], zones: this.#zones }
  }

  result(product: 'dnsmasq' | 'pihole' = 'dnsmasq'): ResolverRead {
    const notes =
      product === 'dnsmasq' && this.#reads_system_hosts ? [...this.#notes, SYSTEM_HOSTS] : this.#notes
    return { ok: true, view: this.view(product), gaps: this.#gaps, notes }
  }

  async #apply(effect: Effect, depth: number): Promise<void> {
    switch (effect.kind) {
      case 'override':
        this.#overrides.push(effect.override)
        break
      case 'zone':
        this.#zones.push(effect.zone)
        break
      case 'domain':
        this.#domain = effect.name
        break
      case 'expand_hosts':
        this.#expands = true
        break
      case 'no_hosts':
        this.#reads_system_hosts = false
        break
      case 'gap':
        this.#gaps.push(effect.text)
        break
      case 'note':
        this.#notes.push(effect.text)
        break
      case 'include':
        await this.#include(effect, depth)
    }
  }

  async #include(
    { what, path, endings }: Extract<Effect, { kind: 'include' }>,
    depth: number,
  ): Promise<void> {
    const files = this.#files
    if (files === null || depth === DEEPEST_INCLUDE)
      return void this.#gaps.push(
        `${path} is not read: ${files === null ? 'there are no files here' : 'too deep'}`,
      )
    const full = files.resolve(path)
    const members = (await files.isFolder(full)) ? await files.list(full) : [full]
    if (members === null) return void this.#gaps.push(`${full} cannot be listed`)
    const is_folder = members.length !== 1 || members[0] !== full
    for (const member of members)
      if (!is_folder || isTaken(basename(member), endings)) await this.#readInto(member, what, depth)
  }

  async #readInto(path: string, what: string, depth: number): Promise<void> {
    const read = await this.#files!.read(path)
    if (!read.ok) this.#gaps.push(`${path} ${read.what}`)
    else if (what === 'hosts') this.takeHosts(read.text, path)
    else await this.take(read.text, path, depth + 1)
  }
}

/** Of a folder: `*.conf` takes only files that end so, `.bak` leaves those out; editors' leftovers never count. */
function isTaken(name: string, endings: readonly string[]): boolean {
  if (name.startsWith('.') || name.endsWith('~') || /^#.*#$/.test(name)) return false
  const taken = endings.filter((ending) => ending.startsWith('*')).map((ending) => ending.slice(1))
  const left = endings.filter((ending) => ending !== '' && !ending.startsWith('*'))
  return (
    (taken.length === 0 || taken.some((end) => name.endsWith(end))) && !left.some((end) => name.endsWith(end))
  )
}
