import { createClient, LecternError } from "lectern-client"

const client = createClient({ baseUrl: "http://localhost:8787" })
await client.signIn({ email: "owner@example.com", password: "lectern-demo-1" })

// A key of your own: the same order of your shop makes one user, from whichever machine and however often it is sent.
const { data } = await client.POST("/api/user/create", {
  body: {
    firstName: "Ada",
    lastName: "Byron",
    email: "ada@example.org",
    password: "a-nice-long-one",
    password_confirmation: "a-nice-long-one",
  },
  headers: { "Idempotency-Key": "shop-order-4711" },
})

// The version that was read: refused when somebody else changed the user meanwhile.
const path = { params: { path: { id: data.id } } }
const read = await client.GET("/api/user/{id}", path)
const version = { "If-Match": read.response.headers.get("etag") ?? "" }
await client.PUT("/api/user/{id}", { ...path, body: { firstName: "Augusta" }, headers: version })
await client.PUT("/api/user/{id}", { ...path, body: { firstName: "Ada" }, headers: version }).catch((error) => {
  if (error instanceof LecternError) console.log(error.status, error.code)
})
