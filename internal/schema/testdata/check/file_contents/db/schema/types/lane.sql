create extension hstore;
