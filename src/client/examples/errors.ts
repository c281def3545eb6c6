import { createClient, LecternError } from "lectern-client"

const client = createClient({ baseUrl: "http://localhost:8787" })
try {
  await client.signIn({ email: "owner@example.com", password: "not this one" })
} catch (error) {
  if (!(error instanceof LecternError)) throw error
  console.log(error.status, error.code, error.message)
  if (error.code === "two_factor_required") console.log("Ask for the code, and call signIn again with it.")
}
