import { createClient, LecternError } from "lectern-client"

const client = createClient({ baseUrl: "http://localhost:8787" })
await client.signIn({ email: "owner@example.com", password: "lectern-demo-1" })

// Your own idempotency key: sending the same order again does not create a second user.
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

// If-Match: the change fails with 412 if someone else changed the user meanwhile.
const path = { params: { path: { id: data.id } } }
const read = await client.GET("/api/user/{id}", path)
const version = { "If-Match": read.response.headers.get("etag") ?? "" }
await client.PUT("/api/user/{id}", { ...path, body: { firstName: "Augusta" }, headers: version })
await client.PUT("/api/user/{id}", { ...path, body: { firstName: "Ada" }, headers: version }).catch((error) => {
  if (error instanceof LecternError) console.log(error.status, error.code)
})
