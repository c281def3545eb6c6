import { createClient } from "lectern-client"

const client = createClient({ baseUrl: "http://localhost:8787" })
await client.signIn({ email: "owner@example.com", password: "lectern-demo-1" })

const search = { query: { search_param: { nameOrEmail: "learner@example.com" } } }
for await (const learner of client.list("/api/users/tabularlist", search)) {
  const { data: order } = await client.POST("/api/order/create", {
    body: { userId: learner.id, items: [{ type: "course", id: 1, name: "Algebra", price: 49.9 }], currency: "EUR" },
  })
  console.log(`Order ${order.id}: ${order.message}`)
}
