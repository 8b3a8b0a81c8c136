/** Style sheets are imported for what the bundler makes of them: nothing comes back. */
declare module '*.css'
