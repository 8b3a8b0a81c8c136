/** A sentence of the API: text of others as it is, pages in place of addresses of the API, and moments in the time of whoever looks. */
import { Fragment } from 'preact'
import { now } from '../../api/clock.ts'
import { absoluteText } from '../../model/ages.ts'
import { pageWords } from '../../model/text/page-words.ts'
import { momentText, proseParts } from '../../model/text/prose.ts'
import { visible } from '../../model/visible.ts'

export const Prose = ({ of }: { readonly of: string }) => (
  <>
    {proseParts(pageWords(of)).map((part, index) =>
      typeof part === 'string' ? (
        <Fragment key={index}>{visible(part)}</Fragment>
      ) : (
        <time key={index} dateTime={new Date(part.at).toISOString()} title={absoluteText(part.at)}>
          {momentText(part.at, now.value)}
        </time>
      ),
    )}
  </>
)
