/** `ipAllowList` (and version 2's `ipWhiteList`) of private ranges: what `internal` means. */
import { BlockList, isIP } from 'node:net'
import { type Parsed, refuse } from '../../../../model/text/result.ts'
import { equalEntry } from './catalogue-match.ts'
import type { ImportContext } from '../context.ts'
import { type Effect, effect } from '../effect.ts'
import { named } from '../place.ts'
import { listOf, shape } from '../tree.ts'

/** The ranges that `internal` lets in: RFC 1918, unique local addresses (RFC 4193) and loopback. */
const PRIVATE = [
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['fc00::', 7, 'ipv6'],
  ['::1', 128, 'ipv6'],
] as const
/** A list with all of these lets in every private network of a site; with less than that, `internal` would open more. */
const USUAL = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16']

export function allowListEffect(name: string, config: unknown, context: ImportContext): Parsed<Effect> {
  const list = shape(config, ['sourceRange', 'ipStrategy', 'rejectStatusCode'])
  const what = `uses the allow list ${named(name)}`
  if (!list.ok) return refuse('middleware', `${what}, which ${list.reason}`)
  const { sourceRange, ipStrategy, rejectStatusCode } = list.fields
  const ranges = listOf(sourceRange) ?? []
  const outside = ranges.find((range) => !isPrivate(range))
  if (
    ipStrategy === undefined &&
    rejectStatusCode === undefined &&
    ranges.length > 0 &&
    outside === undefined &&
    USUAL.every((range) => ranges.includes(range))
  )
    return effect({ internal: true, notes: widened(ranges, name) })
  const equal = equalEntry({ type: 'ipAllowList', config }, context)
  if (equal !== null) return effect({ extras: [equal] })
  if (ranges.length === 0) return refuse('middleware', `${what}, which has no ranges`)
  if (ipStrategy !== undefined || rejectStatusCode !== undefined)
    return refuse('middleware', `${what}, whose ipStrategy or status a record cannot say`)
  return refuse(
    'middleware',
    outside === undefined
      ? `${what}, which lets in ${some(ranges)} only; an internal service lets in every private range, and an entry of your own catalogue can say the list`
      : `${what}, whose range ${named(outside)} is not among the private ranges of an internal service`,
  )
}

/** What else an internal service lets in, which no site's network is. */
function widened(ranges: readonly string[], name: string): string[] {
  const more = PRIVATE.map(([base, length]) => `${base}/${length}`).filter((range) => !ranges.includes(range))
  return more.length === 0 ? [] : [`besides ${named(name)}, an internal service lets in ${more.join(', ')}`]
}

const some = (ranges: readonly string[]): string =>
  `${ranges.slice(0, 5).join(', ')}${ranges.length > 5 ? ', ...' : ''}`

function isPrivate(range: string): boolean {
  const [address = '', bits, ...more] = range.split('/')
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  if (isIP(address) === 0 || more.length > 0 || (bits !== undefined && !/^[0-9]{1,3}$/.test(bits)))
    return false
  const length = bits === undefined ? (family === 'ipv4' ? 32 : 128) : Number(bits)
  return PRIVATE.some(([base, floor, kind]) => {
    if (kind !== family || length < floor || length > (family === 'ipv4' ? 32 : 128)) return false
    const block = new BlockList()
    block.addSubnet(base, floor, kind)
    return block.check(address, family)
  })
}
