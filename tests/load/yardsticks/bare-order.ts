/** Yardstick of P8: an order and three lines in one bare transaction. Reads "go" lines, returns one when its round is done. */
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import pg from 'pg';

const [url = '', orders = '100', atATime = '1'] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: Number(atATime) });
await pool.query(`create table if not exists bare_orders (id bigint generated always as identity primary key, key text unique, buyer text, total int);
                  create table if not exists bare_lines (order_id bigint references bare_orders, photo_id bigint, price int, primary key (order_id, photo_id))`);

async function placeOne(): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ id: string }>(
      'insert into bare_orders (key, buyer, total) values ($1, $2, $3) returning id',
      [randomUUID(), 'bench@buyers.test', 1700],
    );
    for (const photo of [1, 2, 3])
      await client.query('insert into bare_lines (order_id, photo_id, price) values ($1, $2, $3)', [
        rows[0]?.id,
        photo,
        400,
      ]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function placeRound(): Promise<void> {
  let left = Number(orders);
  const lane = async () => {
    while (left-- > 0) await placeOne();
  };
  await Promise.all(Array.from({ length: Number(atATime) }, lane));
}

// As with our tables: sessions otherwise keep plans for empty ones, and each check of a foreign key reads all orders.
await placeRound();
await pool.query('analyze bare_orders, bare_lines');

for await (const _line of createInterface({ input: process.stdin })) {
  await placeRound();
  process.stdout.write('done\n');
}
await pool.end();
