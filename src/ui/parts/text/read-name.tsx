/** An internationalised name as people read it, beside the name that counts. */
import { Text } from '../name.tsx'

export const ReadName = ({
  of,
}: {
  readonly of: { readonly domain: string; readonly domain_unicode: string }
}) =>
  of.domain_unicode === of.domain ? null : (
    <span class="z">
      {' '}
      <Text of={of.domain_unicode} />
    </span>
  )
