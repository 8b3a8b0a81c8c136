/** A page that is being built. */
export const Drift = () => <h1>…</h1>
