/** A page that is being built. */
export const Domains = () => <h1>…</h1>
