/** The site tokens that there are. */
import type { Ddns } from '../ddns.ts'
import { type TokenView, tokenView } from './token-view.ts'

/** By host, the oldest first. */
export const listTokens = ({ tokens, clock }: Ddns): readonly TokenView[] =>
  tokens.list().map((token) => tokenView(token, clock.now()))
