/** Lets in addresses of a list: of the connection, unless a strategy says which of X-Forwarded-For to believe. */
import { addressList, plainAddress } from '../addresses.ts'
import { type Exchange, reply } from '../traffic/exchange.ts'
import { type Build, type Config, texts } from './context.ts'

interface Strategy {
  readonly depth?: number
  readonly excludedIPs?: readonly string[]
}

export const ipAllowList: Build = (config) => {
  const ranges = texts(config, 'sourceRange')
  if (ranges.length === 0) throw new Error('sourceRange is empty, IPAllowLister not created')
  const isListed = checked(ranges)
  const addressOf = strategyOf(config)
  const status = (config['rejectStatusCode'] as number | undefined) ?? 403
  return (next) => (exchange) =>
    isListed(addressOf(exchange)) ? next(exchange) : reply(exchange, { status })
}

function checked(ranges: readonly string[]) {
  try {
    return addressList(ranges)
  } catch (error) {
    throw new Error(`cannot parse CIDRs [${ranges.join(' ')}]: ${(error as Error).message}`, { cause: error })
  }
}

function strategyOf(config: Config): (exchange: Exchange) => string {
  const { depth = 0, excludedIPs } = (config['ipStrategy'] as Strategy | undefined) ?? {}
  if (depth > 0) return (exchange) => forwardedFor(exchange).at(-depth) ?? ''
  if (excludedIPs === undefined) return ({ address }) => plainAddress(address)
  const isExcluded = checked(excludedIPs)
  return (exchange) => forwardedFor(exchange).findLast((one) => !isExcluded(one)) ?? ''
}

const forwardedFor = ({ headers }: Exchange): readonly string[] =>
  headers
    .all('x-forwarded-for')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
