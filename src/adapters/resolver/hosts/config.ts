/** A hosts file as a source of a resolver's answers. */
import type { ResolverConfig } from '../../../ports/resolver-config.ts'
import { TextFiles, unreadable } from '../text-files.ts'
import { hostsOverrides } from './parse.ts'

export const hostsConfig = (path: string): ResolverConfig => ({
  source: `hosts:${path}`,
  kind: 'file',
  async read(signal) {
    const read = await new TextFiles(path, signal).read(path)
    if (!read.ok) return unreadable(`hosts:${path}`, read.what)
    const overrides = hostsOverrides(read.text, path)
    return { ok: true, view: { product: 'hosts', overrides, zones: [] }, gaps: [], notes: [] }
  },
})
