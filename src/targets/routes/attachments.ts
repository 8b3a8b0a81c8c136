/**
 * Which of our routes have the SSO check in front, as the routes file says it. The text is cut, never parsed: it may be
 * anybody's, and as large as it likes.
 *
 * A name alone proves nothing: the middleware that a router lists must be defined in the file, as a question to the provider.
 */
import { quote } from '../../kernel/quoted.ts'
import { type Block, scanBlocks } from './blocks.ts'
import { roleMark, SHARED } from './names.ts'

/** By domain, for those with a route: the routers that reach its backend all have it. */
export function attachmentsIn(text: string, forward_auth_url: string): ReadonlyMap<string, boolean> {
  const blocks = scanBlocks(text)
  const asks = isQuestion(blocks.get(`http.middlewares.${SHARED.sso}`), forward_auth_url)
  const found = new Map<string, boolean>()
  for (const role of ['site', 'assets'] as const) {
    const mark = `http.routers.${roleMark(role)}`
    for (const [item, block] of blocks) {
      if (!item.startsWith(mark)) continue
      const domain = item.slice(mark.length)
      found.set(domain, (found.get(domain) ?? true) && asks && lists(block))
    }
  }
  return found
}

const isQuestion = (block: Block | undefined, url: string): boolean =>
  block !== undefined &&
  block.text.includes('\n      forwardAuth:\n') &&
  block.text.includes(`\n        address: ${quote(url)}\n`)

/** As one entry of a list and nothing else, in our own form: what is spelt otherwise counts as missing. */
const lists = ({ text }: Block): boolean => text.includes(`\n        - ${quote(SHARED.sso)}\n`)
