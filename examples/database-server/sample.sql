-- A small shop: what it sells, to whom, and what was ordered.

CREATE TABLE products (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  category TEXT NOT NULL,
  price_eur REAL NOT NULL CHECK (price_eur >= 0),
  stock INTEGER NOT NULL CHECK (stock >= 0)
);

CREATE TABLE customers (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  city TEXT NOT NULL,
  since TEXT NOT NULL
);

CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers (id),
  product_id INTEGER NOT NULL REFERENCES products (id),
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  ordered_on TEXT NOT NULL
);

INSERT INTO products (id, name, category, price_eur, stock) VALUES
  (1, 'Hand drill', 'tools', 34.50, 12),
  (2, 'Block plane', 'tools', 61.00, 4),
  (3, 'Tenon saw', 'tools', 42.90, 7),
  (4, 'Linseed oil, 1 l', 'finishes', 11.80, 40),
  (5, 'Shellac flakes, 250 g', 'finishes', 19.40, 15),
  (6, 'Hide glue, 500 g', 'glues', 13.20, 22),
  (7, 'Oak board, 1 m', 'wood', 27.00, 31),
  (8, 'Ash board, 1 m', 'wood', 24.00, 0);

INSERT INTO customers (id, name, city, since) VALUES
  (1, 'Amina Diallo', 'Dakar', '2023-02-11'),
  (2, 'Bjarne Holm', 'Odense', '2024-06-30'),
  (3, 'Chiara Rossi', 'Torino', '2022-11-05'),
  (4, 'Dae-jung Kim', 'Busan', '2025-01-19');

INSERT INTO orders (id, customer_id, product_id, quantity, ordered_on) VALUES
  (1, 1, 7, 6, '2026-03-02'),
  (2, 1, 4, 2, '2026-03-02'),
  (3, 2, 2, 1, '2026-03-14'),
  (4, 3, 5, 3, '2026-04-01'),
  (5, 3, 6, 1, '2026-04-01'),
  (6, 3, 7, 10, '2026-04-22'),
  (7, 4, 3, 1, '2026-05-09'),
  (8, 2, 4, 1, '2026-05-17'),
  (9, 1, 1, 2, '2026-05-28');
