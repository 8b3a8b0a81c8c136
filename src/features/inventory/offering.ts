/** Query parameters of whatever offers a number or an address. */
import { flag, wholeNumber } from '../../http/body/scalars.ts'
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
