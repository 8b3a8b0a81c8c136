/** One certificate: what is wrong and what can be done, how far its order is, what it says of itself, whom it serves. */
import { useRef } from 'preact/hooks'
import { now } from '../../api/clock.ts'
import { absoluteText } from '../../model/ages.ts'
import { orderSteps } from '../../model/kept/order-steps.ts'
import {
  budgetText,
  fromText,
  nextText,
  wrongText,
  type CertificateRow,
} from '../../model/kept/certificates.ts'
import { toneOf } from '../../model/kept/tones.ts'
import { LAMP_WORDS } from '../../model/lamps.ts'
import { visible } from '../../model/visible.ts'
import { capital, count } from '../../model/words.ts'
import { Acts } from '../../parts/acts.tsx'
import { Steps } from '../../parts/change/steps.tsx'
import { Copy } from '../../parts/copy.tsx'
import { SidePanel } from '../../parts/listing/side-panel.tsx'
import { DomainLink, DomainName } from '../../parts/name.tsx'
import { Prose } from '../../parts/text/prose.tsx'
import { ObtainNow } from './obtain-now.tsx'
import { Life } from './table.tsx'

const MAX_NAMES = 100

export function OneCertificate({ row }: { readonly row: CertificateRow }) {
  const { of: one, lamp, name } = row
  const wrong = wrongText(row)
  const steps = orderSteps(one.order_step)
  // What was asked for stays to be read once it is well again.
  const hasFailed = useRef(false)
  if (one.last_error !== null) hasFailed.current = true
  return (
    <SidePanel lamp={lamp} title={<DomainName name={name} />} label={`Certificate ${visible(name)}`}>
      <section>
        <p class={toneOf(lamp)}>
          <b>{capital(LAMP_WORDS[lamp])}.</b> {wrong !== null && <Prose of={wrong} />}
        </p>
        <p class="q2 gap">
          {visible(nextText(row, now.value).replace(/\.?$/, '.'))}
          {one.certificate !== null &&
            wrong !== null &&
            row.state !== 'expired' &&
            ' What works stays in use.'}
        </p>
        <div class="acts gap">
          <Acts acts={one.acts} first={wrong !== null} />
          {one.acts.length === 0 && one.source === 'manager' && hasFailed.current && <ObtainNow />}
        </div>
      </section>
      {steps.length > 0 && (
        <section aria-label="The order">
          <h3 class="t">The order</h3>
          <Steps steps={steps} />
        </section>
      )}
      <section>
        <h3 class="t">Certificate</h3>
        <Facts row={row} />
      </section>
      <section>
        <h3 class="t">Serves {count(one.domains.length, 'domain')}</h3>
        {one.domains.length === 0 && <p class="q2">No domain that is deployed.</p>}
        <p class="row-links">
          {one.domains.slice(0, MAX_NAMES).map(({ domain_id, domain }) => (
            <DomainLink key={domain_id} name={domain} />
          ))}
          {one.domains.length > MAX_NAMES && (
            <span class="q2">and {count(one.domains.length - MAX_NAMES, 'more domain')}</span>
          )}
        </p>
      </section>
    </SidePanel>
  )
}

/** What it says of itself; of one that is not there, what it is to be for. */
function Facts({ row }: { readonly row: CertificateRow }) {
  const { of: one } = row
  const { certificate } = one
  const budget = budgetText(one)
  const names = (certificate?.names ?? one.names).map(visible)
  return (
    <dl class="kv left">
      <dt>{certificate === null ? 'To be for' : 'Names'}</dt>
      <dd>
        {names.slice(0, MAX_NAMES).join(', ')}
        {names.length > MAX_NAMES && ` and ${count(names.length - MAX_NAMES, 'more name')}`}
      </dd>
      <dt>Kept by</dt>
      <dd>{visible(capital(fromText(one)))}</dd>
      {one.directory !== null && (
        <>
          <dt>Asked at</dt>
          <dd>{visible(one.directory)}</dd>
        </>
      )}
      {one.in_use !== null && (
        <>
          <dt>In the proxy’s file</dt>
          <dd>{one.in_use ? 'yes' : 'no'}</dd>
        </>
      )}
      {budget !== null && (
        <>
          <dt>Budget</dt>
          <dd>{budget}</dd>
        </>
      )}
      {certificate !== null && (
        <>
          <dt>Authority</dt>
          <dd>{visible(certificate.issuer)}</dd>
          <dt>Life</dt>
          <dd>
            <Life row={row} />
          </dd>
          <dt>From</dt>
          <dd>{momentOf(row.begins_at)}</dd>
          <dt>Until</dt>
          <dd>{momentOf(row.ends_at)}</dd>
          <dt>Key</dt>
          <dd>{visible(certificate.key_type)}</dd>
          <dt>Serial</dt>
          <dd class="mono">{visible(certificate.serial)}</dd>
          <dt>SHA-256</dt>
          <dd class="mono">
            {visible(certificate.fingerprint)} <Copy text={certificate.fingerprint} what="the fingerprint" />
          </dd>
        </>
      )}
    </dl>
  )
}

/** What is not known is no moment of 1970. */
const momentOf = (at: number | null): string => (at === null ? '–' : absoluteText(at))
