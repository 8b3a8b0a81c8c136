/** A hosts file as a source of a resolver's answers. */
import type { ResolverConfig } from '../port.ts'
import { fileSource, unreadable } from '../text-files.ts'
import { hostsOverrides } from './parse.ts'

export const hostsConfig = (path: string): ResolverConfig =>
  fileSource({ source: `hosts:${path}`, path }, async (files) => {
    const read = await files.read(path)
    if (!read.ok) return unreadable(`hosts:${path}`, read.what)
    const overrides = hostsOverrides(read.text, path)
    return { ok: true, view: { product: 'hosts', overrides, zones: [] }, gaps: [], notes: [] }
  })
