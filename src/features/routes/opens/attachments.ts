/**
 * Which of our routes have the SSO check in front, as the routes file says it. The text is cut, never parsed: it may be
 * anybody's, and as large as it likes.
 *
 * A name alone proves nothing: the middleware that a router lists must be defined in the file, as a question to the provider.
 */
import { quote } from '../../../kernel/text/quoted.ts'
import { type Block, scanBlocks } from '../read/blocks.ts'
import { domainOfName, OPEN_ROLES, roleMark, SHARED } from '../render/names.ts'
import type { MayOpen } from './open-routers.ts'
import { HTTP_ROUTERS, routerIn } from './opened.ts'

export interface AttachmentFacts {
  readonly forward_auth_url: string
  readonly mayOpen: MayOpen
}

/**
 * By domain, for those with a route: the routers that reach its backend all have it, but for those of open paths, as long as
 * they open these paths and nothing else.
 */
export function attachmentsIn(
  text: string,
  { forward_auth_url, mayOpen }: AttachmentFacts,
): ReadonlyMap<string, boolean> {
  const blocks = scanBlocks(text)
  const asks = isQuestion(blocks.get(`http.middlewares.${SHARED.sso}`), forward_auth_url)
  const found = new Map<string, boolean>()
  for (const [item, block] of blocks) {
    if (!item.startsWith(HTTP_ROUTERS)) continue
    const name = item.slice(HTTP_ROUTERS.length)
    const domain = domainOfName(name)
    if (domain === null || isRedirect(name)) continue
    const router = isOpen(name) ? routerIn(item, block) : null
    if (router !== null && mayOpen(router)) continue
    found.set(domain, (found.get(domain) ?? true) && asks && lists(block))
  }
  return found
}

const OPEN_MARKS = OPEN_ROLES.map(roleMark)
const isOpen = (name: string): boolean => OPEN_MARKS.some((mark) => name.startsWith(mark))
const isRedirect = (name: string): boolean => name.startsWith(roleMark('redirect'))

const isQuestion = (block: Block | undefined, url: string): boolean =>
  block !== undefined &&
  block.text.includes('\n      forwardAuth:\n') &&
  block.text.includes(`\n        address: ${quote(url)}\n`)

/** As one entry of a list and nothing else, in our own form: what is spelt otherwise counts as missing. */
const lists = ({ text }: Block): boolean => text.includes(`\n        - ${quote(SHARED.sso)}\n`)
