import { createClient, type Tokens } from "lectern-client"

// Stands for what only this app can read: the keychain of a phone.
const keychain = new Map<string, string>()
const kept = keychain.get("tokens")

const client = createClient({
  baseUrl: "http://localhost:8787",
  tokens: kept === undefined ? undefined : (JSON.parse(kept) as Tokens),
  onTokens: (tokens) => {
    if (tokens) keychain.set("tokens", JSON.stringify(tokens))
    else keychain.delete("tokens")
  },
})
if (!client.tokens)
  await client.signIn({ email: "owner@example.com", password: "lectern-demo-1", device: "Amara's phone" })

for await (const device of client.list("/api/session/tabularlist")) console.log(device.device, device.current)
