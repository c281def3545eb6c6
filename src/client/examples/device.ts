import { createClient, type Tokens } from "lectern-client"

// In a real app: storage that only this app can read, such as the keychain of a phone.
const keychain = new Map<string, string>()
const stored = keychain.get("tokens")

const client = createClient({
  baseUrl: "http://localhost:8787",
  tokens: stored === undefined ? undefined : (JSON.parse(stored) as Tokens),
  onTokens: (tokens) => {
    if (tokens) keychain.set("tokens", JSON.stringify(tokens))
    else keychain.delete("tokens")
  },
})
if (!client.tokens)
  await client.signIn({ email: "owner@example.com", password: "lectern-demo-1", device: "Amara's phone" })

for await (const device of client.list("/api/session/tabularlist")) console.log(device.device, device.current)
