/** How an offer of a number or an address is asked for. */
import { flag, wholeNumber } from '../../http/body/scalars.ts'
import type { Call } from '../../http/contract.ts'
import type { Wish } from './inventory.ts'
import { MAX_HOLD_S } from './offers.ts'

export const offering = {
  hold: wholeNumber({ min: 0, max: MAX_HOLD_S })
    .optional()
    .describe(
      'Seconds for which the offer is made to nobody else, nor to a further call of yours with `hold`; default 0',
    ),
  allow_incomplete: flag()
    .optional()
    .describe('Offer although a source is not known in whole; default false'),
}

export const wishOf = (
  call: Pick<Call, 'actor' | 'client' | 'class'>,
  {
    hold,
    allow_incomplete,
  }: { readonly hold?: number | undefined; readonly allow_incomplete?: boolean | undefined },
): Wish => ({
  holder: `${call.class} ${call.actor.name} ${call.client}`,
  hold_s: hold ?? 0,
  incomplete: allow_incomplete === true,
})
