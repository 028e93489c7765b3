/** As much of it as is used: neither Node's types nor the language's have it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object
  readonly Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> }
}

/** A number that a module exports. */
export interface Global {
  readonly value: number
}

/** What a module exports that is committed as text (`npm run build-wasm`). Throws where WebAssembly is forbidden. */
export function instantiate(base64: string): Readonly<Record<string, unknown>> {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  // Not by `from`, which takes longer for these few thousand bytes than the module takes to compile.
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i)
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports
}
