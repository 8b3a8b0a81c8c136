/** A page that is being built. */
export const DomainPage = () => <h1>…</h1>
