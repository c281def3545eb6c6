/** A WebAssembly module in the bundle, compiled when the Worker is uploaded. */
declare module "*.wasm" {
  const module: WebAssembly.Module
  export default module
}
