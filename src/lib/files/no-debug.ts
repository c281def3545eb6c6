/** Stands in the bundle for the `debug` package (see wrangler.toml): a Worker has no terminal for what it writes. */
export default () => () => {}
