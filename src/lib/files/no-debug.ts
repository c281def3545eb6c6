/** Replaces the `debug` package in the bundle (see wrangler.toml), which writes to a terminal. */
export default () => () => {}
